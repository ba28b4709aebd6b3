package dev.gannet.server;

import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.server.call.ServedMethod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * All methods of a server by their path, which must be exactly {@code /package.Service/Method}:
 * nothing is decoded or normalized. Immutable.
 */
final class MethodTable {
  private final Map<String, Optional<ServedMethod<?, ?>>> byPath = new HashMap<>();

  /**
   * Adds all methods.
   *
   * @param as converts a method to its entry in the table
   * @throws IllegalArgumentException if a method is added twice
   */
  MethodTable(
      List<ServerServiceDefinition> services,
      Function<ServerMethodDefinition<?, ?>, ServedMethod<?, ?>> as) {
    for (ServerServiceDefinition service : services) {
      for (ServerMethodDefinition<?, ?> method : service.methods()) {
        String path = "/" + method.method().fullMethodName();
        if (byPath.put(path, Optional.of(as.apply(method))) != null) {
          throw new IllegalArgumentException(path + " was added twice");
        }
      }
    }
  }

  /** All methods, in no order. */
  Stream<ServedMethod<?, ?>> all() {
    return byPath.values().stream().flatMap(Optional::stream);
  }

  Optional<ServedMethod<?, ?>> find(String path) {
    return byPath.getOrDefault(path, Optional.empty());
  }
}
