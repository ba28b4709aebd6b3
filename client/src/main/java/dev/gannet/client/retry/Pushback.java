package dev.gannet.client.retry;

import dev.gannet.api.Metadata;
import java.util.List;

/** The server's answer about further attempts, in {@code grpc-retry-pushback-ms} (gRFC A6). */
public sealed interface Pushback {
  /** The field's name. */
  Metadata.Key<String> KEY = Metadata.Key.ascii("grpc-retry-pushback-ms");

  /** The field is missing. */
  record None() implements Pushback {}

  /** The next attempt must begin after this delay. */
  record After(int millis) implements Pushback {}

  /** No attempt may follow: the number is negative or not a 32-bit number. */
  record Stop() implements Pushback {}

  /** Reads the field from trailers. */
  static Pushback of(Metadata trailers) {
    List<String> values = trailers.getAll(KEY);
    if (values.isEmpty()) {
      return new None();
    }
    try {
      int millis = Integer.parseInt(values.getFirst());
      return values.size() == 1 && millis >= 0 ? new After(millis) : new Stop();
    } catch (NumberFormatException e) {
      return new Stop();
    }
  }
}
