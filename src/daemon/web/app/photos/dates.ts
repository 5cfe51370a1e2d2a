import { language } from '../messages/language.ts'

// Dates of the server are those of the place where a photo was taken; the time zone of the browser does not matter.
const months = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' })
const days = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })

/** @param month `2024-05` */
export const monthText = (month: string): string => months.format(new Date(`${month}-01T00:00:00Z`))

/** @param date `2024-05-06` */
export const dayText = (date: string): string => days.format(new Date(`${date}T00:00:00Z`))
