import type { Test } from 'tap'
import { chromium, type Browser, type Page } from 'playwright-core'

const CHROMIUM = '/usr/bin/chromium'

/** Longer than a machine under full load needs for one step; the default is 30 s. */
const LONGEST_MILLISECONDS = 180_000

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--headless=new',
  '--disable-background-networking',
  '--autoplay-policy=no-user-gesture-required',
]

export type OpenPage = {
  page: Page
  /** What the page complained about: uncaught errors, console errors, blocked loads. */
  complaints: string[]
}

/** A page of a headless Chromium that goes with the test. */
export async function openPage(t: Test, url: string): Promise<OpenPage> {
  const browser: Browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: FLAGS,
    timeout: LONGEST_MILLISECONDS,
  })
  t.teardown(() => browser.close())
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  page.setDefaultTimeout(LONGEST_MILLISECONDS)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    // A player that has enough aborts its own requests.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()} ${reason}`)
  })
  await page.goto(url)
  return { page, complaints }
}
