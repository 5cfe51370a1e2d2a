export { joinEngine, type EngineLease } from './join-engine.ts'
