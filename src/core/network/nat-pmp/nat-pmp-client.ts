import { networkErrors } from '../errors.ts'
import type { Gateway, GatewayClient, GatewayLimits } from '../gateway-client.ts'
import { requestNatPmp } from './request-nat-pmp.ts'
import {
  describeResult,
  parseExternalAddress,
  externalAddressRequest,
  parseMapping,
  mappingRequest,
  OPCODES,
  type NatPmpReply,
  type Opcode,
} from './messages.ts'

/** A client for a router; it does nothing before its first call. */
export function createNatPmpClient(gateway: Gateway, limits: GatewayLimits): GatewayClient {
  const ask = async (request: Buffer, opcode: Opcode, signal: AbortSignal | undefined): Promise<NatPmpReply> => {
    const reply = await requestNatPmp({ gateway, limits, request, opcode }, signal)
    if (reply.resultCode === 0) return reply
    const message = `The gateway ${gateway.address} refuses NAT-PMP: ${describeResult(reply.resultCode)}.`
    throw networkErrors.gateway_refused({ message })
  }
  return {
    protocol: 'nat-pmp',
    gateway,
    async readState(signal) {
      const reply = await ask(externalAddressRequest(), OPCODES.externalAddress, signal)
      return { externalAddress: parseExternalAddress(reply), epochSeconds: reply.epochSeconds }
    },
    async map(request, signal) {
      const reply = await ask(mappingRequest(request), OPCODES.mapTcp, signal)
      const { internalPort, externalPort, leaseSeconds } = parseMapping(reply)
      if (internalPort !== request.internalPort || externalPort === 0 || leaseSeconds === 0) {
        const message = `The gateway ${gateway.address} confirms a port other than the requested one.`
        throw networkErrors.gateway_reply_invalid({ message })
      }
      return { externalPort, leaseSeconds, epochSeconds: reply.epochSeconds }
    },
    async isMapped() {
      return true
    },
    async unmap({ internalPort }, signal) {
      await ask(mappingRequest({ internalPort, externalPort: 0, leaseSeconds: 0 }), OPCODES.mapTcp, signal)
    },
  }
}
