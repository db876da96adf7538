import { VoiceAgent } from './voice-agent.entity.js';

/** The tables of this folder, for the data source that the root composes. */
export const VOICE_AGENT_ENTITIES = [VoiceAgent];
