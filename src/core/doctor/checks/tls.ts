import { readCertificate } from '../../platform/outbound/index.ts'
import { pluralize, describeError } from '../../platform/errors/index.ts'
import type { DoctorCheck } from '../doctor-context.ts'
import { errorResult, okResult, warningResult } from '../finding.ts'

const DAY_MILLISECONDS = 86_400_000
const WARNING_DAYS = 14
const RENEW = 'certbot renew'

/** The certificate of `server.public_url`. Passkeys and many players need a valid certificate. */
export const tlsCheck: DoctorCheck = {
  id: 'tls',
  async run({ config, clock }) {
    const url = config.options['server.public_url']
    if (url === undefined) return okResult('server.public_url is not set')
    const { protocol, hostname, port } = new URL(url)
    if (protocol !== 'https:') {
      const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
      if (isLocal) return okResult('no certificate is needed on this machine')
      return [warningResult(`${url} is not https: passkeys do not work`, `certbot --nginx -d ${hostname}`)]
    }
    try {
      const { expiresAt, problem } = await readCertificate({ host: hostname, port: port === '' ? 443 : Number(port) })
      const days = Math.floor((expiresAt.getTime() - clock.now().getTime()) / DAY_MILLISECONDS)
      if (days < 0) return [errorResult(`the certificate of ${hostname} expired ${pluralize(-days, 'day')} ago`, RENEW)]
      if (problem !== null)
        return [
          errorResult(`the certificate of ${hostname} is not valid: ${problem}`, `certbot --nginx -d ${hostname}`),
        ]
      if (days < WARNING_DAYS)
        return [warningResult(`the certificate of ${hostname} expires in ${pluralize(days, 'day')}`, RENEW)]
      return okResult(`valid for ${pluralize(days, 'day')}`)
    } catch (reason) {
      return [errorResult(`${url} cannot be reached: ${describeError(reason)}`, 'systemctl restart nginx')]
    }
  },
}
