/** The calls of one key in its current window. */
export type WindowCount = {
  /** 0 without an open window. */
  hits: number
  /** Time until the window ends; above 0 while one is open. */
  millisecondsLeft: number
}
