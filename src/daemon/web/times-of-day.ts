/** Times of day as the browser of the viewer writes them. All parts of the page use it, so that no page has two clocks. */
const OF_DAY = { hour: 'numeric', minute: '2-digit' } as const

/** A moment of the next days: `Sunday, 1:00 PM`. */
export const weekdayAndTime = (moment: Date): string => moment.toLocaleString([], { weekday: 'long', ...OF_DAY })

/** A time of a schedule, which is given as `17:00`. */
export const timeOfDay = (text: string): string => new Date(`2001-01-01T${text}`).toLocaleTimeString([], OF_DAY)
