/** The limits of a plugin's process. Tests use shorter times. */
export type ProcessLimits = {
  startMilliseconds: number
  callMilliseconds: number
  /** A call of a provider. */
  questionMilliseconds: number
  /** A call during a sign-in. */
  signInMilliseconds: number
  pingIntervalMilliseconds: number
  pingMilliseconds: number
  memoryBytes: number
  memoryIntervalMilliseconds: number
  /** Invalid messages, and calls that were answered too late, until the process is killed. */
  strikes: number
  /** Unanswered requests of the plugin. */
  openRequests: number
  /** Of these, how many are worked on. Each ends when the plugin has read the answer. */
  answersAtOnce: number
  /** What the plugin has not read; beyond, the next message kills it. */
  unreadBytes: number
  /** Output that is read in a tenth of a second; the rest waits in the pipe. */
  outputBytes: number
  outputMessages: number
}

export const PROCESS_LIMITS: ProcessLimits = {
  startMilliseconds: 15_000,
  callMilliseconds: 10_000,
  questionMilliseconds: 15_000,
  signInMilliseconds: 5000,
  pingIntervalMilliseconds: 10_000,
  pingMilliseconds: 5000,
  memoryBytes: 192 * 1024 * 1024,
  memoryIntervalMilliseconds: 1000,
  strikes: 3,
  openRequests: 100,
  answersAtOnce: 4,
  unreadBytes: 16 * 1024 * 1024,
  outputBytes: 256 * 1024,
  outputMessages: 50,
}

export const OUTPUT_WINDOW_MILLISECONDS = 100
