export type { AudiobookProgress } from './progress.ts'
export { moveProgress } from './move-progress.ts'
export { getAudiobookProgress, saveProgress } from './save-progress.ts'
