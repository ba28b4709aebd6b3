package dev.gannet.benchmarks.jmh.stubs;

import dev.gannet.benchmarks.jmh.wide.Request01;
import dev.gannet.benchmarks.jmh.wide.WideGrpc;
import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;

/** A program that makes a stub or a service of grpc-java's generated classes, and ends. */
final class GrpcJavaStart {
  private GrpcJavaStart() {}

  /** The end of the way that is timed. */
  private static final class Arrived extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static final class Nowhere extends Channel {
    @Override
    public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
      throw new Arrived();
    }

    @Override
    public String authority() {
      return "nowhere";
    }
  }

  private static final class Service extends WideGrpc.WideImplBase {}

  /** Takes the name of a {@link Side}. */
  public static void main(String[] arguments) {
    Channel nowhere = new Nowhere();
    BindableService service = new Service();
    StartTimer timer = StartTimer.start();
    switch (Side.valueOf(arguments[0])) {
      case CLIENT -> {
        try {
          throw new IllegalStateException(
              "answered by nobody: "
                  + WideGrpc.newBlockingStub(nowhere).method01(Request01.getDefaultInstance()));
        } catch (Arrived e) {
          timer.stop();
        }
      }
      case SERVER -> {
        int methods = service.bindService().getMethods().size();
        timer.stop();
        Side.checkMethods(methods);
      }
    }
  }
}
