export { checkEngineFiles, mendEngineFiles, type EngineFiles } from './engine-files.ts'
export { hasCluster, RESTORE_JOURNAL, syncCluster } from './prepare-cluster.ts'
export { isEngineRunning, joinEngine, type EngineLease } from './join-engine.ts'
