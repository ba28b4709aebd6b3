package dev.gannet.benchmarks.load;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.MethodDescriptor;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes each call on the next of these channels. */
record InTurn(List<? extends Channel> channels, AtomicInteger next) implements Channel {
  InTurn(List<? extends Channel> channels) {
    this(List.copyOf(channels), new AtomicInteger());
  }

  @Override
  public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
    int index = Integer.remainderUnsigned(next.getAndIncrement(), channels.size());
    return channels.get(index).newCall(method, options);
  }

  @Override
  public String authority() {
    return channels.getFirst().authority();
  }
}
