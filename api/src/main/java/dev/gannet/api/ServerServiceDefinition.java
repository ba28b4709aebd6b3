package dev.gannet.api;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A service that can be added to a server: its name and its methods with their handlers. Immutable.
 */
public final class ServerServiceDefinition implements BindableService {
  private final String serviceName;
  private final List<ServerMethodDefinition<?, ?>> methods;

  private ServerServiceDefinition(String serviceName, List<ServerMethodDefinition<?, ?>> methods) {
    this.serviceName = Objects.requireNonNull(serviceName, "serviceName");
    this.methods = List.copyOf(methods);
    Set<String> names = new HashSet<>();
    for (ServerMethodDefinition<?, ?> definition : this.methods) {
      MethodDescriptor<?, ?> method = definition.method();
      if (!method.serviceName().equals(serviceName)) {
        throw new IllegalArgumentException(
            "the method "
                + method.fullMethodName()
                + " does not belong to the service "
                + serviceName);
      }
      if (!names.add(method.fullMethodName())) {
        throw new IllegalArgumentException(method.fullMethodName() + " was added twice");
      }
    }
  }

  /**
   * A service with these methods.
   *
   * @throws IllegalArgumentException if a method belongs to another service or was added twice
   */
  public static ServerServiceDefinition of(
      String serviceName, List<ServerMethodDefinition<?, ?>> methods) {
    return new ServerServiceDefinition(serviceName, methods);
  }

  /** Itself, so that it can be added to a server as an object with a service is. */
  @Override
  public ServerServiceDefinition bindService() {
    return this;
  }

  /** The full name, {@code package.Service}. */
  public String serviceName() {
    return serviceName;
  }

  /** The methods in the order in which they were given; unmodifiable. */
  public List<ServerMethodDefinition<?, ?>> methods() {
    return methods;
  }

  /**
   * This service with each method changed, for example with other handlers, interceptors or
   * dispatch.
   */
  public ServerServiceDefinition map(UnaryOperator<ServerMethodDefinition<?, ?>> change) {
    return new ServerServiceDefinition(
        serviceName, methods.stream().<ServerMethodDefinition<?, ?>>map(change).toList());
  }

  /**
   * This service with another handler for one of its methods, which keeps its dispatch, its
   * interceptors of headers and its exemption from load shedding. So a service can have some
   * methods that block and others that do not.
   *
   * <pre>{@code
   * public ServerServiceDefinition bindService() { // of a blocking service
   *   return Greeter.super.bindService()
   *       .with(GreeterMethods.CONVERSE, AsyncHandlers.bidiStreaming(this::converseAsync));
   * }
   * }</pre>
   *
   * @throws IllegalArgumentException if the service has no such method
   */
  public <Q, R> ServerServiceDefinition with(
      MethodDescriptor<Q, R> method, ServerCallHandler<Q, R> handler) {
    if (methods.stream().noneMatch(definition -> definition.method().equals(method))) {
      throw new IllegalArgumentException(
          serviceName + " has no method " + method.fullMethodName() + " of that descriptor");
    }
    return map(definition ->
        definition.method().equals(method)
            ? ServerMethodDefinition.replacing(definition, method, handler)
            : definition);
  }

  @Override
  public String toString() {
    return serviceName + methods;
  }
}
