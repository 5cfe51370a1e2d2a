import t from 'tap'
import { describeReachability, classifyReachability } from '../../../src/core/network/reachability.ts'

void t.test('the range of the external address says whether the Internet reaches it', (t) => {
  const cases = [
    ['81.2.69.160', 'public'],
    ['100.63.255.255', 'public'],
    ['100.64.0.1', 'carrier_nat'],
    ['100.127.255.254', 'carrier_nat'],
    ['100.128.0.1', 'public'],
    ['10.0.0.5', 'double_nat'],
    ['172.16.0.1', 'double_nat'],
    ['172.31.255.255', 'double_nat'],
    ['172.32.0.1', 'public'],
    ['192.168.178.20', 'double_nat'],
    ['169.254.1.1', 'double_nat'],
    ['127.0.0.1', 'double_nat'],
    ['0.0.0.0', 'no_address'],
    ['224.0.0.1', 'no_address'],
    ['240.0.0.1', 'no_address'],
    ['nonsense', 'no_address'],
    [null, 'no_address'],
  ] as const
  for (const [address, reach] of cases) t.equal(classifyReachability(address), reach, String(address))
  t.end()
})

void t.test('the words name double NAT and carrier-grade NAT', (t) => {
  t.match(describeReachability('10.0.0.5'), /10\.0\.0\.5 is private.*double NAT/)
  t.match(describeReachability('100.64.0.1'), /carrier-grade NAT.*cannot be reached/)
  t.match(describeReachability(null), /no external address/)
  t.match(describeReachability('81.2.69.160'), /address of the Internet/)
  t.end()
})
