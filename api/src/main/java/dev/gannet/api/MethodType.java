package dev.gannet.api;

/** The four kinds of methods: each side sends one message or a stream. */
public enum MethodType {
  UNARY,
  CLIENT_STREAMING,
  SERVER_STREAMING,
  BIDI_STREAMING;

  /** Whether every call has exactly one request message. */
  public boolean clientSendsOneMessage() {
    return this == UNARY || this == SERVER_STREAMING;
  }

  /** Whether every successful call has exactly one response message. */
  public boolean serverSendsOneMessage() {
    return this == UNARY || this == CLIENT_STREAMING;
  }
}
