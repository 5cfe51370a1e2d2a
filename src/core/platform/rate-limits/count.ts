/** What one caller has done in its current window. */
export type Count = {
  /** 0 when no window is open. */
  hits: number
  /** Until the window ends; above 0 while one is open. */
  millisecondsLeft: number
}
