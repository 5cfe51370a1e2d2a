import type { DeviceFacts, DeviceNode } from './device-nodes.ts'
import type { DeviceKind, EncoderFamily } from './families.ts'

/** Why an encoder does not work, as text for people, and what to do about it; null if no remedy is known. */
export type EncoderProblem = Readonly<{ reason: string; advice: string | null }>

const ABSENT: Readonly<Record<DeviceKind, EncoderProblem>> = {
  render: {
    reason: 'there is no device node of a GPU (/dev/dri/renderD128)',
    advice: 'load the kernel driver (i915, xe, amdgpu); a container needs --device /dev/dri',
  },
  nvidia: {
    reason: 'there is no device node of an NVIDIA GPU (/dev/nvidia0)',
    advice:
      'install the driver of NVIDIA and run `nvidia-modprobe -u -c 0` as root, which ffmpeg may not do itself; a container needs --gpus all',
  },
  video: {
    reason: 'there is no device node of a video encoder (/dev/video11)',
    advice: 'load the kernel module of the encoder, for example bcm2835-codec; a container needs --device /dev/video11',
  },
}

/** Explains why an encoder cannot open the device that its family needs; null if it can, or needs none. Pure. */
export function describeDeviceProblem(
  { device }: Pick<EncoderFamily, 'device'>,
  { account, nodes }: DeviceFacts,
): EncoderProblem | null {
  if (device === null) return null
  const [first] = nodes[device]
  if (first === undefined) return ABSENT[device]
  if (nodes[device].some(({ isAccessible }) => isAccessible)) return null
  return {
    reason: `the account ${account} has no right to use ${first.path}`,
    advice: account === 'root' ? `a container needs --device ${first.path}` : rightAdvice(first, account),
  }
}

function rightAdvice({ path, groupId, groupName, isForGroup }: DeviceNode, account: string): string {
  const after = 'then sign in again, or restart the service'
  if (!isForGroup) return `chgrp render ${path} && chmod 660 ${path} && usermod -aG render ${account}, ${after}`
  if (groupName !== null) return `usermod -aG ${groupName} ${account}, ${after}`
  return `groupadd -g ${groupId} render && usermod -aG render ${account}, ${after}; a container needs --group-add ${groupId}`
}
