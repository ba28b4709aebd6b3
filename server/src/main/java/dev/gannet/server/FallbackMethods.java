package dev.gannet.server;

import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.server.call.ServedMethod;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The methods of the registries with the server's options and dispatch. They are cached as long as
 * their registry returns the same method. For all threads.
 */
final class FallbackMethods {
  /** The maximum number of cached methods, because a registry may return a method for any path. */
  private static final int MAX_KEPT = 1_024;

  private final HandlerRegistries registries;
  private final FallbackOptions options;
  private final Function<ServerMethodDefinition<?, ?>, ServedMethod<?, ?>> as;
  private final Map<String, Kept> kept = new ConcurrentHashMap<>();

  private record Kept(
      ServerMethodDefinition<?, ?> found, ServiceOptions ofRegistry, ServedMethod<?, ?> served) {
    boolean isOf(ServerMethodDefinition<?, ?> method, ServiceOptions options) {
      return found == method && ofRegistry.equals(options);
    }
  }

  /**
   * The methods of these registries.
   *
   * @param options for all methods that they have
   * @param as converts a method with its options to a method of the server
   */
  FallbackMethods(
      HandlerRegistries registries,
      FallbackOptions options,
      Function<ServerMethodDefinition<?, ?>, ServedMethod<?, ?>> as) {
    this.registries = registries;
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
    String name = path.substring(1);
    for (HandlerRegistries.Added each : registries.all()) {
      Optional<ServerMethodDefinition<?, ?>> found = each.registry().find(name);
      if (found.isPresent()) {
        return Optional.of(served(path, found.get(), each.options()));
      }
    }
    kept.remove(path);
    return Optional.empty();
  }

  private ServedMethod<?, ?> served(
      String path, ServerMethodDefinition<?, ?> found, ServiceOptions ofRegistry) {
    Kept known = kept.get(path);
    if (known != null && known.isOf(found, ofRegistry)) {
      return known.served();
    }
    if (kept.size() >= MAX_KEPT) {
      kept.clear();
    }
    return kept.compute(
            path,
            (same, now) ->
                now != null && now.isOf(found, ofRegistry)
                    ? now // another thread was faster
                    : keep(path, found, ofRegistry))
        .served();
  }

  private Kept keep(String path, ServerMethodDefinition<?, ?> found, ServiceOptions ofRegistry) {
    ServerMethodDefinition<?, ?> whole = options.applyTo(path.substring(1), found, ofRegistry);
    return new Kept(found, ofRegistry, as.apply(whole));
  }
}
