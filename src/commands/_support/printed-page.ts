import type { Config } from '../../core/platform/config/index.ts'

/** The address of the web page for texts of commands. */
export type PrintedPage = {
  /** Without a slash at its end. */
  url: string
  /** Who cannot open it, as a line that begins with a line break; empty for `server.public_url`. */
  remark: string
}

const ADVICE =
  'For people elsewhere set server.public_url (PHLIX_PUBLIC_URL, or public_url in [server] of config.toml).'

/** The address that every command prints: see `printedPageUrl`. */
export async function readPrintedPage(services: { config: Config }): Promise<PrintedPage> {
  const { printedPageUrl } = await import('../../core/web-page-url.ts')
  const url = printedPageUrl(services)
  if (services.config.options['server.public_url'] !== undefined) return { url, remark: '' }
  const where = /^(?:localhost|127\.|\[::1\])/.test(new URL(url).host) ? 'only on this machine' : 'only in your network'
  return { url, remark: `\nThe address opens ${where}. ${ADVICE}` }
}
