package dev.gannet.api;

/** The protection that a connection provides. Levels may be added. */
public enum SecurityLevel {
  /** None: anyone on the network path can read and change the data. */
  NONE,
  /** Nobody else can read or change the data: TLS, or a call within this process. */
  PRIVACY_AND_INTEGRITY
}
