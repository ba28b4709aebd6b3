package dev.gannet.client;

/** What users hand in although they must not. */
public final class Nulls {
  private Nulls() {}

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // which is what it is for
  public static <T> T none() {
    return null;
  }
}
