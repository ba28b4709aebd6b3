package dev.gannet.api;

import java.util.Objects;
import java.util.Optional;

/** A method and the handler of its calls. Immutable. */
public final class ServerMethodDefinition<Q, R> {
  private final MethodDescriptor<Q, R> method;
  private final ServerCallHandler<Q, R> handler;
  private final Optional<Dispatch> dispatch;

  private ServerMethodDefinition(
      MethodDescriptor<Q, R> method, ServerCallHandler<Q, R> handler, Optional<Dispatch> dispatch) {
    this.method = Objects.requireNonNull(method, "method");
    this.handler = Objects.requireNonNull(handler, "handler");
    this.dispatch = dispatch;
  }

  /** A method with the server's default dispatch. */
  public static <Q, R> ServerMethodDefinition<Q, R> of(
      MethodDescriptor<Q, R> method, ServerCallHandler<Q, R> handler) {
    return new ServerMethodDefinition<>(method, handler, Optional.empty());
  }

  static <Q, R> ServerMethodDefinition<Q, R> of(
      MethodDescriptor<Q, R> method, ServerCallHandler<Q, R> handler, Optional<Dispatch> dispatch) {
    return new ServerMethodDefinition<>(method, handler, dispatch);
  }

  /** This method with another handler. */
  public ServerMethodDefinition<Q, R> withHandler(ServerCallHandler<Q, R> handler) {
    return new ServerMethodDefinition<>(method, handler, dispatch);
  }

  /** This method with its own dispatch. */
  public ServerMethodDefinition<Q, R> withDispatch(Dispatch dispatch) {
    return new ServerMethodDefinition<>(method, handler, Optional.of(dispatch));
  }

  public MethodDescriptor<Q, R> method() {
    return method;
  }

  public ServerCallHandler<Q, R> handler() {
    return handler;
  }

  /** Where its handler runs; empty means the server's default. */
  public Optional<Dispatch> dispatch() {
    return dispatch;
  }

  @Override
  public String toString() {
    return method.fullMethodName();
  }
}
