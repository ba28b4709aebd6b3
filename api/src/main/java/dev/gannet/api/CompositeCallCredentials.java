package dev.gannet.api;

import java.util.concurrent.CompletionStage;

/** Two call credentials in their order. They require the higher of both security levels. */
record CompositeCallCredentials(CallCredentials first, CallCredentials second)
    implements CallCredentials {
  @Override
  public CompletionStage<Metadata> headersFor(Request request) {
    return first
        .headersFor(request)
        .thenCompose(
            before -> second.headersFor(request).thenApply(behind -> merged(before, behind)));
  }

  @Override
  public String name() {
    return first.name() + " and " + second.name();
  }

  /** The metadata objects belong to the credentials, so both are left unchanged. */
  private static Metadata merged(Metadata before, Metadata behind) {
    Metadata both = before.copy();
    both.merge(behind);
    return both;
  }

  @Override
  public SecurityLevel requiredSecurity() {
    SecurityLevel one = first.requiredSecurity();
    SecurityLevel other = second.requiredSecurity();
    return one.compareTo(other) >= 0 ? one : other;
  }
}
