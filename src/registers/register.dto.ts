export { REGISTER_FORMATS, type RegisterFormat } from './reading/formats.js';
