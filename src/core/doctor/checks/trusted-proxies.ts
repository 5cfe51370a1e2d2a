import { parseAddressRanges } from '../../platform/config/index.ts'
import type { DoctorCheck } from '../doctor-context.ts'
import { errorResult, okResult, warningResult } from '../finding.ts'

/** Public addresses of unrelated networks: a list that contains all addresses of one version specifies no proxies. */
const STRANGERS = {
  ipv4: ['1.1.1.1', '80.80.80.80', '130.89.148.77', '208.67.222.222'],
  ipv6: ['2001:4860:4860::8888', '2606:4700:4700::1111', '2a02:6b8::feed:ff'],
} as const

/**
 * Whether `server.trusted_proxies` fits to `server.public_url`. The server itself has no TLS: with an https address a proxy is in front of
 * it, whose header contains the addresses of the callers.
 */
export const proxiesCheck: DoctorCheck = {
  id: 'proxies',
  async run({ config }) {
    const text = config.options['server.trusted_proxies']
    const url = config.options['server.public_url']
    const { ranges } = parseAddressRanges(text)
    const isOpen = (['ipv4', 'ipv6'] as const).some((version) =>
      STRANGERS[version].every((address) => ranges.check(address, version)),
    )
    if (isOpen) {
      const message =
        'server.trusted_proxies has every address: any caller can choose the address that limits and logs see'
      return [errorResult(message, 'unset TRUSTED_PROXIES')]
    }
    if (url === undefined) return okResult('server.public_url is not set')
    if (text.trim() === '' && new URL(url).protocol === 'https:') {
      const message = `${url} needs a proxy, but server.trusted_proxies is empty: all callers have its address and share its limits`
      return [warningResult(message, 'export TRUSTED_PROXIES=127.0.0.0/8,::1')]
    }
    return okResult(text.trim() === '' ? 'no proxy is trusted' : `trusted: ${text}`)
  },
}
