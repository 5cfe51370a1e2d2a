/** A scan reports its progress each second; the page is drawn anew less often. */
const INTERVAL_MILLISECONDS = 5000

/** Calls `show` for what scans add, while they run and at their end. */
export function createNewItems(show: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined

  function stop(): void {
    clearTimeout(timer)
    timer = undefined
  }

  function showNow(): void {
    stop()
    show()
  }

  return {
    /** A scan has gone on. */
    note(): void {
      timer ??= setTimeout(showNow, INTERVAL_MILLISECONDS)
    },
    showNow,
    stop,
  }
}
