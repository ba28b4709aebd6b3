package dev.gannet.protobuf;

import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where the {@code .proto} definition of a method is found: what generated code gives as the schema
 * descriptor of its {@link dev.gannet.api.MethodDescriptor}s.
 *
 * <p>Linking descriptors takes time that most programs never need to spend, so nothing is linked
 * before somebody asks. Immutable and safe for all threads.
 *
 * @param file the generated file class's {@code getDescriptor}
 * @param serviceName the service's name without its package
 * @param methodName the method's name as the {@code .proto} spells it
 */
public record MethodSchema(Supplier<FileDescriptor> file, String serviceName, String methodName) {
  /** The schema of a method that generated code has made; empty for methods made in other ways. */
  public static Optional<MethodSchema> of(dev.gannet.api.MethodDescriptor<?, ?> method) {
    return method
        .schemaDescriptor()
        .filter(MethodSchema.class::isInstance)
        .map(MethodSchema.class::cast);
  }

  /**
   * The definition of the method's service.
   *
   * @throws NoSuchElementException if the file defines no such service
   */
  public ServiceDescriptor service() {
    return Optional.ofNullable(file.get().findServiceByName(serviceName))
        .orElseThrow(() -> new NoSuchElementException("no service " + serviceName));
  }

  /**
   * The definition of the method.
   *
   * @throws NoSuchElementException if the file defines no such method
   */
  public MethodDescriptor method() {
    return Optional.ofNullable(service().findMethodByName(methodName))
        .orElseThrow(() -> new NoSuchElementException("no method " + methodName));
  }
}
