import type { Page } from 'playwright-core'

/**
 * Plays a film: a card of what was begun plays it at once, others lead to its page.
 * @param card the selector of the card; the first one by default
 */
export async function openFilm(page: Page, card = '.film'): Promise<void> {
  await page.click(card)
  await page.waitForSelector('#play, #player[open]')
  if (!(await page.isVisible('#player[open]'))) await page.click('#play')
}
