package dev.gannet.api;

import java.util.Optional;

/**
 * A method and what the server does with its calls.
 *
 * @param dispatch where its handler runs; empty means where the server says
 */
public record ServerMethodDefinition<Q, R>(
    MethodDescriptor<Q, R> method, ServerCallHandler<Q, R> handler, Optional<Dispatch> dispatch) {
  /** A method that runs where the server says. */
  public static <Q, R> ServerMethodDefinition<Q, R> of(
      MethodDescriptor<Q, R> method, ServerCallHandler<Q, R> handler) {
    return new ServerMethodDefinition<>(method, handler, Optional.empty());
  }

  /** This method with another handler. */
  public ServerMethodDefinition<Q, R> withHandler(ServerCallHandler<Q, R> handler) {
    return new ServerMethodDefinition<>(method, handler, dispatch);
  }

  /** This method with a place of its own to run. */
  public ServerMethodDefinition<Q, R> withDispatch(Dispatch dispatch) {
    return new ServerMethodDefinition<>(method, handler, Optional.of(dispatch));
  }
}
