import { PlatformSettings } from './platform-settings.entity.js';

/** The tables of this folder, for the data source that the root composes. */
export const OPERATION_ENTITIES = [PlatformSettings];
