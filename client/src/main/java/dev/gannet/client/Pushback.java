package dev.gannet.client;

import dev.gannet.api.Metadata;
import java.util.List;

/** What a server says of further attempts, by {@code grpc-retry-pushback-ms} (gRFC A6). */
sealed interface Pushback {
  /** The field's name. */
  Metadata.Key<String> KEY = Metadata.Key.ascii("grpc-retry-pushback-ms");

  /** Nothing. */
  record None() implements Pushback {}

  /** The next attempt is to begin that much later. */
  record After(int millis) implements Pushback {}

  /** No attempt is to follow: a negative number, or what is no number of 32 bits. */
  record Stop() implements Pushback {}

  /** What these trailers say. */
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
