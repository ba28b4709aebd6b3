package dev.gannet.api;

import java.util.concurrent.CompletionStage;

/** Call credentials that may be sent over any connection. */
record PlaintextCredentials(CallCredentials credentials) implements CallCredentials {
  @Override
  public CompletionStage<Metadata> headersFor(Request request) {
    return credentials.headersFor(request);
  }

  @Override
  public SecurityLevel requiredSecurity() {
    return SecurityLevel.NONE;
  }

  @Override
  public String name() {
    return credentials.name();
  }

  @Override
  public CallCredentials overPlaintext() {
    return this;
  }
}
