package dev.gannet.server;

import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.server.call.ServedMethod;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The methods of a registry with the server's options and dispatch. They are cached as long as the
 * registry returns the same method. For all threads.
 */
final class FallbackMethods {
  /** The maximum number of cached methods, because a registry may return a method for any path. */
  private static final int MAX_KEPT = 1_024;

  private final HandlerRegistry registry;
  private final FallbackOptions options;
  private final Function<ServerMethodDefinition<?, ?>, ServedMethod<?, ?>> as;
  private final Map<String, Kept> kept = new ConcurrentHashMap<>();

  private record Kept(ServerMethodDefinition<?, ?> found, ServedMethod<?, ?> served) {}

  /**
   * The methods of a registry.
   *
   * @param options for each of its methods
   * @param as converts a method with its options to a method of the server
   */
  FallbackMethods(
      HandlerRegistry registry,
      FallbackOptions options,
      Function<ServerMethodDefinition<?, ?>, ServedMethod<?, ?>> as) {
    this.registry = registry;
    this.options = options;
    this.as = as;
  }

  /** The cached methods, in no order. */
  Stream<ServedMethod<?, ?>> all() {
    return kept.values().stream().map(Kept::served);
  }

  Optional<ServedMethod<?, ?>> find(String path) {
    if (!path.startsWith("/")) {
      return Optional.empty();
    }
    Optional<ServerMethodDefinition<?, ?>> found = registry.find(path.substring(1));
    if (found.isEmpty()) {
      kept.remove(path);
      return Optional.empty();
    }
    return Optional.of(served(path, found.get()));
  }

  private ServedMethod<?, ?> served(String path, ServerMethodDefinition<?, ?> found) {
    Kept known = kept.get(path);
    if (known != null && known.found() == found) {
      return known.served();
    }
    if (kept.size() >= MAX_KEPT) {
      kept.clear();
    }
    return kept.compute(
            path,
            (same, now) ->
                now != null && now.found() == found
                    ? now // another thread was faster
                    : new Kept(found, as.apply(options.applyTo(path.substring(1), found))))
        .served();
  }
}
