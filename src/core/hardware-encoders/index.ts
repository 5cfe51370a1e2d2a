export { findHardwareEncoder } from './families.ts'
export { probeEncoders, type EncoderProbe, type ProbedEncoder } from './probe-encoders.ts'
