/** A scan reports its progress each second; the page is drawn anew less often. */
const INTERVAL_MILLISECONDS = 5000

/** All pages of a server hear of the end of a scan at the same moment. They request the list within this time, in a random order. */
const SPREAD_MILLISECONDS = 2000

/** Calls `show` for what scans add, while they run and at their end. A page that is not visible does so when it becomes visible. */
export function createNewItems(show: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Whether `show` is called for the end of a scan next. */
  let isEnding = false
  let isLate = false

  function stop(): void {
    clearTimeout(timer)
    ;[timer, isEnding, isLate] = [undefined, false, false]
  }

  function showNow(): void {
    stop()
    if (document.hidden) isLate = true
    else show()
  }

  document.addEventListener('visibilitychange', () => {
    if (isLate && !document.hidden) showNow()
  })

  return {
    /** A scan has gone on. */
    note(): void {
      timer ??= setTimeout(showNow, INTERVAL_MILLISECONDS)
    },
    /** A scan has ended. */
    noteEnd(): void {
      // The end of each of several scans must not put it off.
      if (isEnding) return
      stop()
      isEnding = true
      timer = setTimeout(showNow, Math.random() * SPREAD_MILLISECONDS)
    },
    stop,
  }
}
