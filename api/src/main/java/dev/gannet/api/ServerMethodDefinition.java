package dev.gannet.api;

import java.util.Objects;
import java.util.Optional;

/** A method and the handler of its calls. Immutable. */
public final class ServerMethodDefinition<Q, R> {
  private final MethodDescriptor<Q, R> method;
  private final ServerCallHandler<Q, R> handler;
  private final boolean waitsForPeer;
  private final Optional<Dispatch> dispatch;
  private final Shedding shedding;

  /** Whether a server that sheds load counts and refuses calls of the method. */
  private enum Shedding {
    APPLIES,
    EXEMPT
  }

  private ServerMethodDefinition(
      MethodDescriptor<Q, R> method,
      ServerCallHandler<Q, R> handler,
      boolean waitsForPeer,
      Optional<Dispatch> dispatch,
      Shedding shedding) {
    this.method = Objects.requireNonNull(method, "method");
    this.handler = Objects.requireNonNull(handler, "handler");
    this.waitsForPeer = waitsForPeer;
    this.dispatch = dispatch;
    this.shedding = shedding;
  }

  /** A method with the server's default dispatch, which load shedding may refuse. */
  public static <Q, R> ServerMethodDefinition<Q, R> of(
      MethodDescriptor<Q, R> method, ServerCallHandler<Q, R> handler) {
    return new ServerMethodDefinition<>(
        method, handler, handler.waitsForPeer(), Optional.empty(), Shedding.APPLIES);
  }

  /** A method with another handler, and with all else that the replaced definition says. */
  static <Q, R> ServerMethodDefinition<Q, R> replacing(
      ServerMethodDefinition<?, ?> replaced,
      MethodDescriptor<Q, R> method,
      ServerCallHandler<Q, R> handler) {
    return new ServerMethodDefinition<>(
        method, handler, handler.waitsForPeer(), replaced.dispatch, replaced.shedding);
  }

  /**
   * This method with another handler, which may wrap the present one: it {@linkplain #waitsForPeer
   * waits for its peer} if either of them does.
   */
  public ServerMethodDefinition<Q, R> withHandler(ServerCallHandler<Q, R> handler) {
    boolean waits = waitsForPeer || handler.waitsForPeer();
    return new ServerMethodDefinition<>(method, handler, waits, dispatch, shedding);
  }

  /** This method with its own dispatch. */
  public ServerMethodDefinition<Q, R> withDispatch(Dispatch dispatch) {
    return new ServerMethodDefinition<>(
        method, handler, waitsForPeer, Optional.of(dispatch), shedding);
  }

  /**
   * This method exempt from load shedding ({@code ServerBuilder.loadShedding}): its calls are
   * neither counted nor refused. For calls that a server must answer however busy it is, such as
   * health checks and those of operators. A service says so for all its methods where it is bound:
   *
   * <pre>{@code
   * public ServerServiceDefinition bindService() {
   *   return Operators.super.bindService().map(method -> method.withoutLoadShedding());
   * }
   * }</pre>
   */
  @Preview(until = "0.3")
  public ServerMethodDefinition<Q, R> withoutLoadShedding() {
    return new ServerMethodDefinition<>(method, handler, waitsForPeer, dispatch, Shedding.EXEMPT);
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

  /** Whether its calls are {@linkplain #withoutLoadShedding exempt from load shedding}. */
  @Preview(until = "0.3")
  public boolean isExemptFromLoadShedding() {
    return shedding == Shedding.EXEMPT;
  }

  @Override
  public String toString() {
    return method.fullMethodName();
  }
}
