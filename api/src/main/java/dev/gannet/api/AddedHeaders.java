package dev.gannet.api;

import java.util.function.Consumer;

/** Adds headers to each call when it starts. */
record AddedHeaders(Consumer<Metadata> addition) implements ClientInterceptor {
  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    return new Call<>(next.newCall(method, options), addition);
  }

  private static final class Call<Q, R> extends ForwardingClientCall<Q, R> {
    private final Consumer<Metadata> addition;

    Call(ClientCall<Q, R> delegate, Consumer<Metadata> addition) {
      super(delegate);
      this.addition = addition;
    }

    @Override
    public void start(Listener<? super R> listener, Metadata headers) {
      addition.accept(headers);
      delegate().start(listener, headers); // this call never ends by itself, and needs no listener
    }
  }
}
