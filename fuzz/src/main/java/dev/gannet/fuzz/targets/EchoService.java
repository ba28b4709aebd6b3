package dev.gannet.fuzz.targets;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import java.util.ArrayList;
import java.util.List;

/** A service that echoes messages, with all four kinds of calls. */
final class EchoService {
  private final List<EchoCall> calls = new ArrayList<>();

  ServerServiceDefinition definition() {
    List<ServerMethodDefinition<?, ?>> methods = new ArrayList<>();
    Octets.METHODS.forEach(method -> methods.add(ServerMethodDefinition.of(method, this::serve)));
    return ServerServiceDefinition.of(Octets.SERVICE, methods);
  }

  private ServerCall.Listener<byte[]> serve(ServerCall<byte[], byte[]> call, Metadata headers) {
    EchoCall echo = new EchoCall(call);
    calls.add(echo);
    return echo;
  }

  /** The number of received and sent messages. */
  long messages() {
    return calls.stream().mapToLong(EchoCall::messages).sum();
  }

  int calls() {
    return calls.size();
  }

  /** Checks that every started call has ended once. */
  void checkEnds() {
    calls.forEach(EchoCall::checkEnd);
  }
}
