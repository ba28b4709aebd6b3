package dev.gannet.benchmarks.jmh;

import dev.gannet.http2.hpack.HeaderField;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.grpc.util.MutableHandlerRegistry;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/**
 * From {@code :path} to the method that is registered for it, on a server of a hundred methods. An
 * operation is one call; calls go to one method after the other.
 *
 * <p>Ours keeps what it has found with the field in the connection's HPACK table: the first call of
 * a method looks into a map by its path, all others read a field. grpc-java looks for each call by
 * what stands behind the slash: into a map of the methods that were there when the server was
 * built, then into the registry of those that came later.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(HandlerLookupBenchmark.METHODS)
public class HandlerLookupBenchmark {
  static final int METHODS = 100;

  private static final String SERVICE = "a.package.of.some.Service";

  private final String[] paths = new String[METHODS];
  private final HeaderField[] known = new HeaderField[METHODS];
  private final Map<String, Optional<Object>> byPath = new HashMap<>();
  private final Function<HeaderField, Object> find = this::find;
  private final Map<String, ServerMethodDefinition<?, ?>> built = new HashMap<>();
  private final MutableHandlerRegistry registry = new MutableHandlerRegistry();

  @Setup
  public void register() {
    ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(SERVICE);
    for (int i = 0; i < METHODS; i++) {
      String name = SERVICE + "/Method" + i;
      paths[i] = "/" + name;
      known[i] = HeaderField.of(":path", paths[i]);
      byPath.put(paths[i], Optional.of(name));
      service.addMethod(
          method(name),
          ServerCalls.asyncUnaryCall((request, responses) -> responses.onCompleted()));
    }
    ServerServiceDefinition whole = service.build();
    registry.addService(whole);
    whole.getMethods().forEach(it -> built.put(it.getMethodDescriptor().getFullMethodName(), it));
  }

  private Object find(HeaderField path) {
    return byPath.getOrDefault(path.value(), Optional.empty());
  }

  private static MethodDescriptor<byte[], byte[]> method(String name) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(name)
        .setRequestMarshaller(new Unused())
        .setResponseMarshaller(new Unused())
        .build();
  }

  /** Fields that are in the connection's table. */
  @Benchmark
  public void gannet(Blackhole sink) {
    for (HeaderField path : known) {
      sink.consume(path.attachment(Object.class, find));
    }
  }

  /** Fields that arrive for the first time. */
  @Benchmark
  public void gannetFirst(Blackhole sink) {
    for (String path : paths) {
      sink.consume(HeaderField.of(":path", path).attachment(Object.class, find));
    }
  }

  /** A method that the server was built with. */
  @Benchmark
  public void grpcJava(Blackhole sink) {
    for (String path : paths) {
      sink.consume(built.get(path.substring(1)));
    }
  }

  /** A method that was registered later. */
  @Benchmark
  public void grpcJavaLater(Blackhole sink) {
    for (String path : paths) {
      sink.consume(registry.lookupMethod(path.substring(1), null));
    }
  }

  /** This benchmark neither writes nor reads messages. */
  private static final class Unused implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] message) {
      return new ByteArrayInputStream(message);
    }

    @Override
    public byte[] parse(InputStream stream) {
      return new byte[0];
    }
  }
}
