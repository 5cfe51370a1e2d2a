import t from 'tap'
import { parseDefaultGateway } from '../../../src/core/network/route-table.ts'

const HEADER = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT'
const table = (...rows: string[]): string => `${[HEADER, ...rows].join('\n')}\n`

void t.test('the gateway of the default route with the lowest metric is found', (t) => {
  const text = table(
    'wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0',
    'eth0\t00000000\tFE01A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0',
    'eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0',
  )
  t.equal(parseDefaultGateway(text, 'LE'), '192.168.1.254')
  t.end()
})

void t.test('the byte order is that of the machine', (t) => {
  const text = table('eth0\t00000000\tC0A80101\t0003\t0\t0\t0\t00000000\t0\t0\t0')
  t.equal(parseDefaultGateway(text, 'BE'), '192.168.1.1')
  t.end()
})

void t.test('routes that lead to no gateway by default are ignored', (t) => {
  const texts = [
    '',
    HEADER,
    table('tun0\t00000000\t00000000\t0001\t0\t0\t0\t00000000\t0\t0\t0'),
    table('tun0\t00000000\t0101A8C0\t0003\t0\t0\t0\t00000080\t0\t0\t0'),
    table('eth0\t0000000A\t0101A8C0\t0003\t0\t0\t0\t000000FF\t0\t0\t0'),
    table('eth0\t00000000\t0101A8C0\t0002\t0\t0\t0\t00000000\t0\t0\t0'),
    table('eth0\t00000000\tnonsense\t0003\t0\t0\t0\t00000000\t0\t0\t0'),
    table('eth0\t00000000'),
  ]
  for (const text of texts) t.equal(parseDefaultGateway(text, 'LE'), undefined, text)
  t.end()
})
