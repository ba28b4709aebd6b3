package dev.gannet.api;

/** What a connection protects calls from. Levels may be added. */
public enum SecurityLevel {
  /** Nothing: anyone on the network path can read and change what is sent. */
  NONE,
  /** Nobody else can read or change what is sent: TLS, or a call that stays in this process. */
  PRIVACY_AND_INTEGRITY
}
