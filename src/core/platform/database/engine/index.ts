export { checkEngineFiles, mendEngineFiles, type EngineFiles } from './engine-files.ts'
export { hasCluster } from './prepare-cluster.ts'
export { joinEngine, type EngineLease } from './join-engine.ts'
