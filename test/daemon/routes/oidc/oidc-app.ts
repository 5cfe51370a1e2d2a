import type { Test } from 'tap'
import type { OptionPath } from '../../../../src/core/platform/config/index.ts'
import type { Clock } from '../../../../src/core/platform/time/index.ts'
import { startApp, type Answer, type TestApp } from '../../../support/app.ts'
import { CLIENT_ID, CLIENT_SECRET, startOidcProvider, type TestOidcProvider } from '../../../support/oidc.ts'
import { createStepBrowser, makeVerifier, type StepBrowser } from '../../../support/oidc-browser.ts'
import { testServices } from '../../../support/services.ts'

export const PUBLIC_URL = 'https://media.example.test'
export const START = '/api/v1/auth/oidc/start'

export type OidcApp = TestApp & {
  provider: TestOidcProvider
  newBrowser: () => StepBrowser
  /** Goes to the provider and back. */
  signInAtProvider: (browser?: StepBrowser) => Promise<{ browser: StepBrowser; verifier: string; callback: string }>
  /** The whole sign-in: the address that the browser is sent to at the end, and the verifier of the client. */
  arrive: (browser?: StepBrowser) => Promise<{ arrived: string; verifier: string }>
  /** The whole sign-in, with the exchange of the code. */
  signInOnce: (browser?: StepBrowser) => Promise<Answer>
}

/** The application with a real OpenID provider. */
export async function startOidcApp(
  t: Test,
  { flags = {}, clock }: { flags?: Partial<Record<OptionPath, string>>; clock?: Clock } = {},
): Promise<OidcApp> {
  let baseUrl = ''
  const provider = await startOidcProvider(t, { publicUrl: PUBLIC_URL, baseUrl: () => baseUrl })
  const services = await testServices(t, {
    flags: {
      'server.public_url': PUBLIC_URL,
      'auth.oidc.issuer': provider.issuer,
      'auth.oidc.client_id': CLIENT_ID,
      'auth.oidc.client_secret': CLIENT_SECRET,
      'auth.oidc.create_accounts': 'true',
      'server.rate_limit.oidc.max': '1000',
      ...flags,
    },
    ...(clock === undefined ? {} : { clock }),
  })
  const app = await startApp(t, { services })
  baseUrl = app.baseUrl
  provider.state.person = { sub: 'person-1', preferred_username: 'ada', email: 'ada@example.test' }
  const newBrowser = (): StepBrowser => createStepBrowser({ publicUrl: PUBLIC_URL, baseUrl })

  const signInAtProvider: OidcApp['signInAtProvider'] = async (browser = newBrowser()) => {
    const { verifier, challenge } = makeVerifier()
    const started = await browser.get(`${START}?client=web&challenge=${challenge}`)
    const callback = await browser.walkToServer(started.headers.get('location') ?? '')
    return { browser, verifier, callback }
  }
  const arrive: OidcApp['arrive'] = async (given) => {
    const { browser, verifier, callback } = await signInAtProvider(given)
    const reply = await browser.get(callback)
    return { arrived: reply.headers.get('location') ?? '', verifier }
  }
  return {
    ...app,
    provider,
    newBrowser,
    signInAtProvider,
    arrive,
    async signInOnce(browser) {
      const { arrived, verifier } = await arrive(browser)
      return app.ask('POST', '/api/v1/auth/oidc/token', { body: { code: codeOf(arrived), verifier } })
    },
  }
}

/** The one-time code in the address that a browser is sent to. */
export function codeOf(address: string): string {
  return /#sign-in-code=([\w-]+)$/.exec(address)?.[1] ?? `no code in ${address}`
}
