package dev.gannet.protobuf;

import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The location of a method's {@code .proto} definition: generated code uses it as the schema
 * descriptor of its {@link dev.gannet.api.MethodDescriptor}s.
 *
 * <p>Linking descriptors takes time that most programs do not need to spend, so it only happens on
 * first use. Immutable and safe for all threads.
 */
public final class MethodSchema {
  private final Supplier<FileDescriptor> file;
  private final String serviceName;
  private final String methodName;

  private MethodSchema(Supplier<FileDescriptor> file, String serviceName, String methodName) {
    this.file = file;
    this.serviceName = serviceName;
    this.methodName = methodName;
  }

  /**
   * The schema of a method in a file.
   *
   * @param file the generated file class's {@code getDescriptor}
   * @param serviceName the service's name without its package
   * @param methodName the method's name as in the {@code .proto} file
   */
  public static MethodSchema in(
      Supplier<FileDescriptor> file, String serviceName, String methodName) {
    return new MethodSchema(file, serviceName, methodName);
  }

  /** The schema of a method of generated code; empty for other methods. */
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

  @Override
  public String toString() {
    return "MethodSchema[" + serviceName + "/" + methodName + "]";
  }
}
