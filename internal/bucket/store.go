// Package bucket stores builds in a bucket of object storage (S3). Each representation is an object named after its
// hash, a manifest lists the objects of a build, and one small object, "current", names the current build.
// Representations and manifests are immutable, so a reader that starts at "current" always sees one complete build.
package bucket

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"vitrine/internal/artifact"
)

// scheme is the URL scheme of a bucket's address.
const scheme = "s3://"

// Names of objects under the prefix.
const (
	currentName  = "current"
	lockName     = "lock"
	probeName    = "lock-probe"
	stateName    = "deploy.json"
	buildsFolder = "builds/"
	tablesFolder = "tables/"
	filesFolder  = "files/"
	// recordsFolder contains the records of builds, which no reader of a site reads.
	recordsFolder = "records/"
)

var (
	// errCondition is returned by a conditional write if another writer has changed the object.
	errCondition = errors.New("the object was modified by another deploy")
	// errNotImplemented is returned if the storage doesn't implement a request, such as a conditional write.
	errNotImplemented = errors.New("the storage service does not support this request")
)

// A Store stores builds under a prefix of a bucket. It is safe for concurrent use.
type Store struct {
	core           minio.Core
	bucket, prefix string
	traffic        *traffic
	// google reports whether the storage is Google's, which checks the MD5 of a body instead of its SHA-256.
	google bool
	// plain reports whether the storage lacks conditional writes.
	plain bool
}

// Is reports whether target is the address of a bucket.
func Is(target string) bool { return strings.HasPrefix(target, scheme) }

// Open returns the store at address, which has the form s3://bucket/prefix. It doesn't send a request. Credentials,
// region, and endpoint come from the environment variables and files that Amazon's tools read.
func Open(address string) (*Store, error) {
	bucket, prefix, _ := strings.Cut(strings.TrimPrefix(address, scheme), "/")
	prefix = strings.TrimSuffix(prefix, "/")
	if !Is(address) || bucket == "" || strings.ContainsAny(bucket, "@:?#") || strings.ContainsAny(prefix, "?#\\") || prefix != "" && path.Clean("/"+prefix) != "/"+prefix {
		return nil, fmt.Errorf("%q is not a bucket address; write it as s3://bucket/prefix", address)
	}
	endpoint, err := endpoint()
	if err != nil {
		return nil, err
	}
	secure := endpoint.Scheme == "https"
	transport, err := minio.DefaultTransport(secure)
	if err != nil {
		return nil, fmt.Errorf("preparing connections: %w", err)
	}
	transport.MaxIdleConnsPerHost = workers
	counted := &traffic{next: transport}
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds: credentials.NewChainCredentials([]credentials.Provider{
			&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{Client: &http.Client{Transport: http.DefaultTransport, Timeout: 10 * time.Second}},
		}),
		Secure: secure, Region: region(), Transport: counted,
	})
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", address, err)
	}
	if prefix != "" {
		prefix += "/"
	}
	return &Store{core: minio.Core{Client: client}, bucket: bucket, prefix: prefix, traffic: counted, google: strings.HasSuffix(endpoint.Hostname(), "googleapis.com")}, nil
}

// endpoint returns the URL of the storage from AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, or Amazon's URL if neither is
// set.
func endpoint() (*url.URL, error) {
	for _, name := range []string{"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"} {
		value := os.Getenv(name)
		if value == "" {
			continue
		}
		u, err := url.Parse(value)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" || u.User != nil {
			return nil, fmt.Errorf("%s: want a server URL without a path or user name, such as https://s3.example.com", name)
		}
		return u, nil
	}
	return &url.URL{Scheme: "https", Host: "s3.amazonaws.com"}, nil
}

// region returns the region from the environment, or "" if the client must request it from the storage.
func region() string {
	if r := os.Getenv("AWS_REGION"); r != "" {
		return r
	}
	return os.Getenv("AWS_DEFAULT_REGION")
}

// at returns the address of the object called name.
func (s *Store) at(name string) string { return s.String() + "/" + name }

func (s *Store) String() string { return strings.TrimSuffix(scheme+s.bucket+"/"+s.prefix, "/") }

// attempts is the maximum number of attempts at a transfer, in addition to the client's retries after 500 and 503.
const attempts = 5

// patience returns the timeout for reading size bytes: half a minute, plus a second for each 64 KiB. The timeout for
// writing is ten times as long.
func patience(size int64) time.Duration {
	return 30*time.Second + time.Duration(size>>16)*time.Second
}

// get reads an object, with retries. most is the maximum size of the object in bytes. The error wraps os.ErrNotExist if
// the object doesn't exist.
func (s *Store) get(ctx context.Context, name string, most int64) (data []byte, etag string, err error) {
	err = repeat(ctx, func() (err error) {
		data, etag, err = s.getOnce(ctx, name, most)
		return err
	})
	if err != nil {
		err = fmt.Errorf("reading %s: %w", s.at(name), err)
	}
	return data, etag, err
}

func (s *Store) getOnce(ctx context.Context, name string, most int64) (data []byte, etag string, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience(most))
	defer cancel()
	var o minio.GetObjectOptions
	// Without this field, Google's storage decompresses objects with a Content-Encoding.
	o.Set("Accept-Encoding", "gzip, br")
	body, info, _, err := s.core.GetObject(ctx, s.bucket, s.prefix+name, o)
	if err != nil {
		return nil, "", s.explain(err)
	}
	defer body.Close()
	data, err = io.ReadAll(io.LimitReader(body, most+1))
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("%w: %w", errBroken, err)
	case int64(len(data)) > most || info.Size >= 0 && info.Size != int64(len(data)):
		return nil, "", fmt.Errorf("%w: %d bytes, want %d", errBroken, len(data), info.Size)
	}
	return data, info.ETag, nil
}

// getRange reads size bytes of an object, starting at offset. The error wraps artifact.ErrBytes if the object is too
// short.
func (s *Store) getRange(ctx context.Context, name string, offset, size int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience(size))
	defer cancel()
	var o minio.GetObjectOptions
	if err := o.SetRange(offset, offset+size-1); err != nil {
		return nil, err
	}
	body, info, _, err := s.core.GetObject(ctx, s.bucket, s.prefix+name, o)
	if err != nil {
		return nil, s.explain(err)
	}
	defer body.Close()
	if info.Size >= 0 && info.Size < size {
		return nil, fmt.Errorf("%w: %d bytes, want %d", artifact.ErrBytes, info.Size, size)
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(body, data); err != nil {
		return nil, fmt.Errorf("%w: %w", errBroken, err)
	}
	return data, nil
}

// errBroken is wrapped by errors about incomplete transfers, which repeat retries.
var errBroken = errors.New("the transfer was incomplete")

// repeat calls transfer at most five times, with increasing pauses. It repeats the call only after a timeout, an
// incomplete transfer, or wrong bytes.
func repeat(ctx context.Context, transfer func() error) error {
	for attempt := 1; ; attempt++ {
		err := transfer()
		again := errors.Is(err, errBroken) || errors.Is(err, artifact.ErrBytes) || errors.Is(err, context.DeadlineExceeded)
		if !again || attempt == attempts {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Duration(attempt) * 200 * time.Millisecond):
		}
	}
}

// meta contains the header fields to store with an object.
type meta struct{ contentType, cacheControl, encoding string }

// changing contains the header fields of mutable objects.
var changing = meta{contentType: "application/json", cacheControl: "no-store"}

// put writes an object and its checksums. The storage verifies the checksums.
func (s *Store) put(ctx context.Context, name string, data []byte, m meta) error {
	_, err := s.write(ctx, name, data, m, func(*minio.PutObjectOptions) {})
	return err
}

// swap replaces an object if it still has the given ETag, or creates it if the ETag is "", and returns the new ETag.
// The error wraps errCondition if another writer has changed or created the object. If the storage lacks conditional
// writes, swap always writes the object.
func (s *Store) swap(ctx context.Context, name, etag string, data []byte) (string, error) {
	fresh, err := s.write(ctx, name, data, changing, func(o *minio.PutObjectOptions) {
		switch {
		case s.plain:
		case etag == "":
			o.SetMatchETagExcept("*")
		default:
			o.SetMatchETag(etag)
		}
	})
	if errors.Is(err, errCondition) || errors.Is(err, os.ErrNotExist) {
		// If the response to a write is lost, the client repeats the write. The repeated write then fails, although the
		// first write succeeded.
		now, tag, e := s.get(ctx, name, maxSmall)
		switch {
		case e == nil && bytes.Equal(now, data):
			return tag, nil
		case e != nil && !errors.Is(e, os.ErrNotExist):
			return "", fmt.Errorf("checking whether the object was written: %w", e)
		}
		return "", fmt.Errorf("writing %s: %w", s.at(name), errCondition)
	}
	return fresh, err
}

// write writes an object, with retries after incomplete transfers.
func (s *Store) write(ctx context.Context, name string, data []byte, m meta, set func(*minio.PutObjectOptions)) (etag string, err error) {
	err = repeat(ctx, func() (err error) {
		etag, err = s.writeOnce(ctx, name, data, m, set)
		return err
	})
	return etag, err
}

func (s *Store) writeOnce(ctx context.Context, name string, data []byte, m meta, set func(*minio.PutObjectOptions)) (etag string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*patience(int64(len(data))))
	defer cancel()
	sum := sha256.Sum256(data)
	// Sign the hash of the entire body instead of signing the body in chunks.
	o := minio.PutObjectOptions{ContentType: m.contentType, CacheControl: m.cacheControl, ContentEncoding: m.encoding, DisableContentSha256: true}
	set(&o)
	check := ""
	if s.google {
		digest := md5.Sum(data)
		check = base64.StdEncoding.EncodeToString(digest[:])
	} else {
		o.UserMetadata = map[string]string{"x-amz-checksum-sha256": base64.StdEncoding.EncodeToString(sum[:])}
	}
	info, err := s.core.PutObject(ctx, s.bucket, s.prefix+name, bytes.NewReader(data), int64(len(data)), check, hex.EncodeToString(sum[:]), o)
	if err != nil {
		return "", fmt.Errorf("writing %s: %w", s.at(name), s.explain(err))
	}
	return info.ETag, nil
}

// remove removes objects, a thousand per request. It ignores missing objects, and returns the first error.
func (s *Store) remove(ctx context.Context, names []string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	objects := make(chan minio.ObjectInfo)
	go func() {
		defer close(objects)
		for _, name := range names {
			select {
			case objects <- minio.ObjectInfo{Key: s.prefix + name}:
			case <-ctx.Done():
				return
			}
		}
	}()
	var first error
	for e := range s.core.RemoveObjects(ctx, s.bucket, objects, minio.RemoveObjectsOptions{}) {
		if first == nil {
			first = fmt.Errorf("removing %s: %w", e.ObjectName, s.explain(e.Err))
		}
	}
	return first
}

// explain translates err, an error of the client: it returns errCondition, errNotImplemented, os.ErrNotExist, or an
// error that wraps errBroken or artifact.ErrBytes. For a configuration error, it returns an error that says what to
// change. It returns any other error unchanged.
func (s *Store) explain(err error) error {
	r := minio.ToErrorResponse(err)
	switch {
	case r.StatusCode == http.StatusPreconditionFailed || r.Code == "PreconditionFailed" || r.Code == "ConditionalRequestConflict":
		return errCondition
	case r.StatusCode == http.StatusNotImplemented || r.Code == "NotImplemented":
		return errNotImplemented
	case r.Code == "NoSuchBucket":
		return fmt.Errorf("bucket %q does not exist; create it, or set AWS_ENDPOINT_URL to the storage service that has it", s.bucket)
	case r.StatusCode == http.StatusRequestedRangeNotSatisfiable || r.Code == "InvalidRange":
		return fmt.Errorf("%w: the object is truncated", artifact.ErrBytes)
	case r.Code == "NoSuchKey" || r.StatusCode == http.StatusNotFound:
		return os.ErrNotExist
	case r.Code == "RequestTimeTooSkewed":
		return fmt.Errorf("the clock on this machine is wrong; set it (%w)", err)
	case r.Code == "AccessDenied" || r.Code == "InvalidAccessKeyId" || r.Code == "SignatureDoesNotMatch":
		return fmt.Errorf("%s; check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_PROFILE, and the key's permissions for %s", r.Code, s)
	case errors.Is(err, io.ErrUnexpectedEOF) || r.StatusCode >= http.StatusInternalServerError:
		return fmt.Errorf("%w: %w", errBroken, err)
	}
	return err
}
