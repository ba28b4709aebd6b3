package dev.gannet.client;

/** What users hand in although they must not. */
final class Nulls {
  private Nulls() {}

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // which is what it is for
  static <T> T none() {
    return null;
  }
}
