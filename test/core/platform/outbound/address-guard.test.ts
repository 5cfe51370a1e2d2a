import t from 'tap'
import { AppError } from '../../../../src/core/platform/errors/index.ts'
import type { OutboundTrust } from '../../../../src/core/platform/outbound/index.ts'
import { checkUrl } from '../../../../src/core/platform/outbound/check-url.ts'

/** The result of the checks before a connection. */
function outcome(url: string, trust: OutboundTrust): string {
  try {
    checkUrl(url, trust)
    return 'allowed'
  } catch (error) {
    return error instanceof AppError ? error.code : String(error)
  }
}

const NEVER = [
  '0.0.0.0',
  '0.1.2.3',
  '[::]',
  '169.254.169.254',
  '169.254.0.1',
  '[::ffff:169.254.169.254]',
  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[fd00:ec2::254]',
  '[fd00:0ec2:0:0::254]',
  '[fd20:ce::254]',
  '100.100.100.200',
  '168.63.129.16',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '[64:ff9b::a9fe:a9fe]',
  '224.0.0.1',
  '239.255.255.250',
  '255.255.255.255',
  '240.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '[ff02::1]',
  '[2001:db8::1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[100::1]',
  '[::ffff:0:7f00:1]',
  '[4000::1]',
]

const HOME = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.255.255.255',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '2130706433',
  '0x7f.1',
  '0x7f000001',
  '0177.0.0.1',
  '127.1',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '[fd00::1]',
  '[fc00::1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::10.0.0.1]',
  '100.64.0.1',
  '100.127.255.255',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
]

const PUBLIC = [
  '1.1.1.1',
  '172.32.0.1',
  '100.63.255.255',
  '11.0.0.1',
  '[2606:4700::1111]',
  '[64:ff9b::1.1.1.1]',
  'a.test',
]

void t.test('addresses in every notation are checked by their value (SS-01)', (t) => {
  for (const host of NEVER) {
    t.equal(outcome(`http://${host}/`, 'public'), 'outbound_refused', `${host} for others`)
    t.equal(outcome(`http://${host}/`, 'configured'), 'outbound_refused', `${host} for the administrator`)
  }
  for (const host of HOME) {
    t.equal(outcome(`http://${host}/`, 'configured'), 'allowed', `${host} for the administrator`)
    t.equal(outcome(`http://${host}/`, 'public'), 'outbound_refused', `${host} for others`)
  }
  for (const host of PUBLIC) {
    for (const trust of ['configured', 'public'] as const) {
      t.equal(outcome(`http://${host}/`, trust), 'allowed', `${host}, ${trust}`)
    }
  }
  t.end()
})

void t.test('other schemes, user names and the ports of other services are refused (SS-02)', (t) => {
  const wrong = [
    'file:///etc/passwd',
    'gopher://a.test/',
    'ftp://a.test/',
    'javascript:alert(1)',
    'data:,x',
    'unix:/run/x',
  ]
  wrong.push('', 'a.test', '//a.test/', 'http://', 'http://[::1', 'http://a b/', 'http://a.test:65536/', 'ws://a.test/')
  wrong.push('http://a@a.test/', 'http://:b@a.test/', 'http://a:b@1.1.1.1/', 'http://a.test:0/', 'http://256.1.1.1/')
  for (const url of wrong) {
    for (const trust of ['configured', 'public'] as const) t.equal(outcome(url, trust), 'outbound_refused', url)
  }
  for (const port of [1, 22, 25, 53, 445, 1023, 3306, 5432, 6379, 11_211, 27_017]) {
    t.equal(outcome(`http://1.1.1.1:${port}/`, 'public'), 'outbound_refused', `port ${port}`)
  }
  for (const port of [80, 443, 1024, 8096]) {
    t.equal(outcome(`http://1.1.1.1:${port}/`, 'public'), 'allowed', `port ${port}`)
  }
  t.end()
})

void t.test('an error names the host, never the query, which may hold a key', (t) => {
  const url = 'http://127.0.0.1/3/movie/1?api_key=hush'
  t.throws(() => checkUrl(url, 'public'), { message: 'The address of 127.0.0.1 is not allowed.' })
  t.end()
})
