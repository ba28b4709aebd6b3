package dev.gannet.transport.netty;

import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import java.util.List;

/** Answers each request with itself. */
final class EchoService {
  static final String NAME = "test.Echo";

  /** One request, one response. */
  static final MethodDescriptor<byte[], byte[]> UNARY =
      MethodDescriptor.of(MethodType.UNARY, NAME + "/Unary", new Bytes(), new Bytes());

  /** A stream each way. */
  static final MethodDescriptor<byte[], byte[]> STREAM =
      MethodDescriptor.of(MethodType.BIDI_STREAMING, NAME + "/Stream", new Bytes(), new Bytes());

  private EchoService() {}

  static ServerServiceDefinition definition() {
    return ServerServiceDefinition.of(NAME, List.of(methodOf(UNARY), methodOf(STREAM)));
  }

  private static ServerMethodDefinition<byte[], byte[]> methodOf(
      MethodDescriptor<byte[], byte[]> method) {
    return ServerMethodDefinition.of(method, EchoService::begin);
  }

  /** Begins a call. */
  static ServerCall.Listener<byte[]> begin(ServerCall<byte[], byte[]> call, Metadata headers) {
    call.request(2);
    return new Echo(call);
  }

  private record Echo(ServerCall<byte[], byte[]> call) implements ServerCall.Listener<byte[]> {
    @Override
    public void onMessage(byte[] message) {
      call.sendMessage(message);
      call.request(1);
    }

    @Override
    public void onHalfClose() {
      call.close(Status.OK, new Metadata());
    }
  }
}
