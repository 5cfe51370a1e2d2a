import type { Page } from 'playwright-core'

/** The sizes of windows in which pages are tested. */
export const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } }

/** Signs in on the page that is open, with the password of all test accounts or another one. */
export async function signIn(page: Page, username: string, password = 'correct horse'): Promise<void> {
  await page.fill('#username', username)
  await page.fill('#password', password)
  await page.press('#password', 'Enter')
  await page.waitForSelector('#films:not([hidden])')
}

/** Whether nothing is wider than the window. */
export const fitsWindow = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth <= innerWidth')
