package dev.gannet.api;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A service that is ready to be served: its name and its methods with their handlers. Immutable.
 */
public record ServerServiceDefinition(
    String serviceName, List<ServerMethodDefinition<?, ?>> methods) {
  /**
   * Checks the names.
   *
   * @throws IllegalArgumentException if a method belongs to another service or stands here twice
   */
  public ServerServiceDefinition {
    methods = List.copyOf(methods);
    Set<String> names = new HashSet<>();
    for (ServerMethodDefinition<?, ?> definition : methods) {
      MethodDescriptor<?, ?> method = definition.method();
      if (!method.serviceName().equals(serviceName)) {
        throw new IllegalArgumentException(method.fullMethodName() + " is not of " + serviceName);
      }
      if (!names.add(method.fullMethodName())) {
        throw new IllegalArgumentException(method.fullMethodName() + " stands here twice");
      }
    }
  }

  /** This service with each method changed: given other handlers, interceptors or dispatch. */
  public ServerServiceDefinition map(UnaryOperator<ServerMethodDefinition<?, ?>> change) {
    return new ServerServiceDefinition(
        serviceName, methods.stream().<ServerMethodDefinition<?, ?>>map(change).toList());
  }
}
