package dev.gannet.api;

import java.util.Objects;
import java.util.Optional;

/** A method and the handler of its calls. Immutable. */
public final class ServerMethodDefinition<Q, R> {
  private final MethodDescriptor<Q, R> method;
  private final ServerCallHandler<Q, R> handler;
  private final boolean waitsForPeer;
  private final Optional<Dispatch> dispatch;

  private ServerMethodDefinition(
      MethodDescriptor<Q, R> method,
      ServerCallHandler<Q, R> handler,
      boolean waitsForPeer,
      Optional<Dispatch> dispatch) {
    this.method = Objects.requireNonNull(method, "method");
    this.handler = Objects.requireNonNull(handler, "handler");
    this.waitsForPeer = waitsForPeer;
    this.dispatch = dispatch;
  }

  /** A method with the server's default dispatch. */
  public static <Q, R> ServerMethodDefinition<Q, R> of(
      MethodDescriptor<Q, R> method, ServerCallHandler<Q, R> handler) {
    return of(method, handler, Optional.empty());
  }

  static <Q, R> ServerMethodDefinition<Q, R> of(
      MethodDescriptor<Q, R> method, ServerCallHandler<Q, R> handler, Optional<Dispatch> dispatch) {
    return new ServerMethodDefinition<>(method, handler, handler.waitsForPeer(), dispatch);
  }

  /**
   * This method with another handler, which may wrap the present one: it {@linkplain #waitsForPeer
   * waits for its peer} if either of them does.
   */
  public ServerMethodDefinition<Q, R> withHandler(ServerCallHandler<Q, R> handler) {
    boolean waits = waitsForPeer || handler.waitsForPeer();
    return new ServerMethodDefinition<>(method, handler, waits, dispatch);
  }

  /** This method with its own dispatch. */
  public ServerMethodDefinition<Q, R> withDispatch(Dispatch dispatch) {
    return new ServerMethodDefinition<>(method, handler, waitsForPeer, Optional.of(dispatch));
  }

  /** The method whose calls the handler gets. */
  public MethodDescriptor<Q, R> method() {
    return method;
  }

  /** The handler of the calls, with the interceptors that were put around it. */
  public ServerCallHandler<Q, R> handler() {
    return handler;
  }

  /**
   * Whether its handler blocks inside its call until its peer does something ({@link
   * ServerCallHandler#waitsForPeer}), and so never runs on an event loop.
   */
  public boolean waitsForPeer() {
    return waitsForPeer;
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
